/** A metric of an expression, with the labels that it is chosen by. */
export interface SelectedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

/** All names that a PromQL expression relies on. */
export interface PromqlNames {
  readonly metrics: readonly SelectedMetric[];
  /** Labels that are grouped or joined by. */
  readonly groupings: readonly string[];
}

const functions = new Set(
  (
    'abs avg avg_over_time bottomk ceil changes clamp clamp_max clamp_min count count_over_time delta deriv floor ' +
    'group histogram_quantile increase irate label_join label_replace last_over_time max max_over_time min ' +
    'min_over_time predict_linear quantile quantile_over_time rate resets round scalar sort sort_desc stddev sum ' +
    'sum_over_time time timestamp topk vector absent absent_over_time'
  ).split(' '),
);
const operators = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);
const groupers = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);

const token =
  /\s+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[\dsmhdwy]+(?::[\dsmhdwy]*)?\]|\d[\d.]*(?:e[+-]?\d+)?(?:ms|[smhdwy])?|[a-zA-Z_:][\w:]*|=~|!~|!=|==|>=|<=|[-+*/%^<>=(){},@]/y;

/**
 * The names in an expression; Grafana's `$__rate_interval` and the like stand for a duration.
 * @throws SyntaxError if it holds what is no PromQL: an unknown character or function, brackets that do not match
 */
export function promqlNames(expression: string): PromqlNames {
  const tokens = tokensOf(expression.replaceAll(/\$__\w+/g, '5m'));
  const metrics: SelectedMetric[] = [];
  const groupings: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at]!;
    if (!/^[a-zA-Z_:]/.test(name)) continue;
    const next = tokens[at + 1];
    if (groupers.has(name)) {
      if (next !== '(') continue; // group_left takes labels or none
      const end = closing(tokens, at + 1);
      groupings.push(...tokens.slice(at + 2, end).filter((word) => word !== ','));
      at = end;
    } else if (operators.has(name.toLowerCase())) continue;
    else if (next === '(' || groupers.has(next ?? '')) {
      if (!functions.has(name)) throw new SyntaxError(`${name} is no function of PromQL: ${expression}`);
    } else if (next === '{') {
      const end = closing(tokens, at + 1);
      metrics.push({ name, labels: labelsIn(tokens.slice(at + 2, end), expression) });
      at = end;
    } else metrics.push({ name, labels: [] });
  }
  return { metrics, groupings };
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const open: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < expression.length) {
    const from = token.lastIndex;
    const [text] = token.exec(expression) ?? [];
    if (text === undefined) throw new SyntaxError(`No PromQL at ${from}: ${expression}`);
    if (text.trim() === '') continue;
    if (text === '(' || text === '{') open.push(text);
    if ((text === ')' && open.pop() !== '(') || (text === '}' && open.pop() !== '{'))
      throw new SyntaxError(`The brackets do not match: ${expression}`);
    tokens.push(text);
  }
  if (open.length > 0) throw new SyntaxError(`The brackets do not match: ${expression}`);
  return tokens;
}

/** Where the bracket at `opening` is closed; between the two there is no other. */
const closing = (tokens: readonly string[], opening: number): number =>
  tokens.indexOf(tokens[opening] === '(' ? ')' : '}', opening);

function labelsIn(matchers: readonly string[], expression: string): string[] {
  const labels: string[] = [];
  for (let at = 0; at < matchers.length; at += 4) {
    const [label, operator, value, comma] = matchers.slice(at, at + 4);
    const isMatcher = ['=', '!=', '=~', '!~'].includes(operator ?? '') && /^["']/.test(value ?? '');
    if (!isMatcher || label === undefined || (comma ?? ',') !== ',')
      throw new SyntaxError(`A label is not matched by a text: ${expression}`);
    labels.push(label);
  }
  return labels;
}
