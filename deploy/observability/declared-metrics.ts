import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '@paywright/platform';
import ts from 'typescript';
import { findProjectRoot } from '../migrate/database-schemas.ts';

export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** A metric as the code declares it. */
export interface DeclaredMetric {
  readonly name: string;
  readonly kind: MetricKind;
  readonly help: string;
  readonly labels: readonly string[];
  /** The app or lib that declares it; 'node' for those of the process itself. */
  readonly owner: string;
}

/** What the methods of Metrics make. */
const kinds: Readonly<Record<string, MetricKind>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
  reading: 'gauge',
};

let declared: readonly DeclaredMetric[] | null = null;

/**
 * Every metric that apps and libs declare, by name; a name that several declare comes once. Their code is read once.
 * @throws Error if one cannot be read from the code: its name, help and labels are literals, or constants of its file
 */
export const declaredMetrics = (): readonly DeclaredMetric[] => (declared ??= readDeclaredMetrics());

function readDeclaredMetrics(): readonly DeclaredMetric[] {
  const root = findProjectRoot();
  const files = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root }).filter(isProduct);
  const ofProduct = files.flatMap((file) => metricsIn(file, readFileSync(join(root, file), 'utf8')));
  const byName = new Map([...processMetrics(), ...ofProduct].map((metric) => [metric.name, metric]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isProduct = (file: string) => !/\.spec\.ts$|\/testing\/|platform\/src\/metrics\.ts$/.test(file);

/** What each process measures of itself: by the library, so asked of it. */
function processMetrics(): DeclaredMetric[] {
  const known = new Metrics().registry.getMetricsAsArray();
  return known.map((metric) => ({
    name: metric.name,
    kind: kinds[String(metric.type)] ?? 'gauge',
    help: metric.help,
    labels: 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
    owner: 'node',
  }));
}

function metricsIn(file: string, source: string): DeclaredMetric[] {
  if (!/metrics\s*\.\s*(counter|gauge|histogram|reading)\(/.test(source)) return [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: DeclaredMetric[] = [];
  const visit = (node: ts.Node): void => {
    const declaration = declarationIn(node);
    if (declaration) found.push({ ...read(declaration, tree), kind: declaration.kind, owner: ownerOf(file) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

interface Declaration {
  readonly kind: MetricKind;
  readonly parameters: readonly ts.Expression[];
}

function declarationIn(node: ts.Node): Declaration | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { name, expression } = node.expression;
  const kind = /metrics$/i.test(expression.getText()) ? kinds[name.text] : undefined;
  return kind === undefined ? null : { kind, parameters: node.arguments };
}

function read({ parameters: [name, help, labels] }: Declaration, tree: ts.SourceFile) {
  const fail = () => new Error(`${tree.fileName}: a metric's name, help and labels must be literals.`);
  const resolve = (node: ts.Expression | undefined) => (node && ts.isIdentifier(node) ? constantOf(node, tree) : node);
  const textOf = (node: ts.Expression | undefined): string => {
    const literal = resolve(node);
    if (literal === undefined || !ts.isStringLiteralLike(literal)) throw fail();
    return literal.text;
  };
  const labelled = resolve(labels);
  if (labelled === undefined) return { name: textOf(name), help: textOf(help), labels: [] };
  if (ts.isArrayLiteralExpression(labelled))
    return { name: textOf(name), help: textOf(help), labels: labelled.elements.map(textOf) };
  if (!ts.isObjectLiteralExpression(labelled)) throw fail();
  const names = labelled.properties.map((property) => property.name?.getText() ?? '');
  return { name: textOf(name), help: textOf(help), labels: names };
}

/** The nearest constant of that name above the use. */
function constantOf({ text, pos }: ts.Identifier, tree: ts.SourceFile): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === text && node.pos < pos) found = node.initializer;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const ownerOf = (file: string): string => file.split('/').slice(0, 2).join('/');
