import { normals, stream } from './chance.ts';
import { fields } from './people.ts';
import type { Variant } from './variants.ts';

/** How much of a taste is about a variant's traits; the rest is about that variant alone. */
const aboutTraits = 0.7;
const ruleCount = 14;
/** Of a field's values that a rule is about. */
const ruleValues = 0.45;

/** What a person's features add to the log odds of a start: for all variants alike, and for each. */
export interface Tastes {
  mood(features: Uint8Array): number;
  /** By variant, into `out`. */
  add(features: Uint8Array, out: Float64Array): void;
}

export function makeTastes(seed: string, kind: 'additive' | 'rules' | 'none', variants: readonly Variant[]): Tastes {
  const normal = normals(seed, 'mood');
  const moods = fields.map(({ values, mood }, field) => Float64Array.from({ length: values }, (_, value) => mood * normal(value, field))); // prettier-ignore
  const add = { additive: additive, rules: byRules, none: () => () => undefined }[kind](seed, variants);
  return {
    mood(features) {
      let sum = 0;
      for (let field = 0; field < features.length; field++) sum += moods[field]![features[field]!]!;
      return sum;
    },
    add,
  };
}

/** Every value of every field likes some traits and some variants. */
function additive(seed: string, variants: readonly Variant[]): Tastes['add'] {
  const [ofTrait, ofVariant] = [normals(seed, 'taste of traits'), normals(seed, 'taste of variants')];
  const tables = fields.map(({ values, taste }, field) => {
    const table = new Float64Array(values * variants.length);
    for (let value = 0; value < values; value++) {
      variants.forEach(({ traits }, row) => {
        const liked = traits.reduce((sum, trait, index) => sum + trait * ofTrait(64 * field + value, index), 0);
        const own = ofVariant(64 * field + value, row);
        table[value * variants.length + row] = taste * (aboutTraits * (liked / 2) + (1 - aboutTraits) * own);
      });
    }
    return table;
  });
  const tasteful = fields.flatMap(({ taste }, field) => (taste > 0 ? [field] : []));
  return (features, out) => {
    for (const field of tasteful) {
      const start = features[field]! * variants.length;
      for (let row = 0; row < variants.length; row++) out[row]! += tables[field]![start + row]!;
    }
  };
}

/** Who has one of these values AND one of those likes some variants: no single feature tells. */
function byRules(seed: string, variants: readonly Variant[]): Tastes['add'] {
  const [u, ofTrait, ofVariant] = [stream(seed, 'rules'), normals(seed, 'rules of traits'), normals(seed, 'rules of variants')]; // prettier-ignore
  const tasteful = fields.flatMap(({ taste }, field) => (taste >= 0.7 ? [field] : []));
  const rules = Array.from({ length: ruleCount }, (_, rule) => {
    const first = Math.floor(u(rule, 0) * tasteful.length);
    const second = (first + 1 + Math.floor(u(rule, 1) * (tasteful.length - 1))) % tasteful.length;
    const sides = [tasteful[first]!, tasteful[second]!].map((field) => ({
      field,
      has: Array.from({ length: 64 }, (_, value) => u(1_000 + 64 * rule + value, field) < ruleValues),
    }));
    const likes = variants.map(({ traits }, row) => {
      const liked = traits.reduce((sum, trait, index) => sum + trait * ofTrait(rule, index), 0);
      return aboutTraits * (liked / 2) + (1 - aboutTraits) * ofVariant(rule, row);
    });
    return { sides, likes };
  });
  return (features, out) => {
    for (const { sides, likes } of rules) {
      if (!sides.every(({ field, has }) => has[features[field]!])) continue;
      for (let row = 0; row < likes.length; row++) out[row]! += likes[row]!;
    }
  };
}
