/** Variances that weights have before any data: of the intercepts and of every field's values. */
export interface Prior {
  readonly intercept: number;
  readonly field: number;
}

/** A sum of independent normals, added to in place. */
export interface NormalSum {
  mean: number;
  variance: number;
}

/** A weight's four numbers lie side by side. */
const parts = { eta: 0, lam: 1, mean: 2, variance: 3 } as const;
const size = 4;

const leastTau = 1e-5;
/** Empirical Bayes counts the starting variance like that many weights. */
const priorWeights = 8;

/**
 * Independent normal weights, a row a variant (or token) and a column an index of the dictionary, in natural
 * parameters: `lam` and `eta` hold the data's precision and precision times mean, alone. With the prior variance
 * `tau` of its group (0 the intercept, 1 + f the values of field f) a weight has
 * variance = 1/(1/tau + lam) and mean = variance·eta, so another tau is exact at once for a weight
 * by itself. Means that were fitted together, or about other prior means than 0, are given again behind it, by `setFitted`.
 */
export class Block {
  readonly prior: Prior;
  /** Of every column; the dictionary's own list, which grows. */
  readonly #groups: readonly number[];
  #rows = 0;
  #columns = 0;
  /** Columns that a row has room for. */
  #stride = 16;
  #weights = new Float64Array(0);
  #tau: Float64Array;

  constructor(prior: Prior, groups: readonly number[]) {
    this.prior = prior;
    this.#groups = groups;
    this.#tau = Float64Array.of(prior.intercept);
  }

  /** Takes the place of an empty block's rows: the numbers of another one, as `values` and `taus` gave them. */
  restore(rows: number, tau: ArrayLike<number>, values: Readonly<Record<keyof typeof parts, Float64Array>>): void {
    for (let row = this.#rows; row < rows; row++) this.addRow();
    this.#followDictionary();
    for (let group = 0; group < tau.length; group++) this.setTau(group, tau[group]!);
    for (const name of ['eta', 'lam', 'mean', 'variance'] as const) {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < this.#columns; column++) {
          this.#weights[this.#at(row, column) + parts[name]] = values[name][row * this.#columns + column]!;
        }
      }
    }
  }

  get rows(): number {
    return this.#rows;
  }

  addRow(): number {
    this.#followDictionary();
    const row = this.#rows++;
    if (this.#rows * this.#stride * size > this.#weights.length) this.#makeRoom(2 * this.#rows, this.#stride);
    for (let column = 0; column < this.#columns; column++) this.#recompute(this.#at(row, column), this.#tauOf(column));
    return row;
  }

  /**
   * Adds the weights of the active columns.
   * @param active the intercept and one column a field, in the fields' order; -1 is an unseen value: mean 0, variance tau
   */
  addTo(sum: NormalSum, row: number, active: Int32Array): void {
    this.#followDictionary();
    const weights = this.#weights;
    const start = this.#at(row, 0);
    let { mean, variance } = sum;
    for (let group = 0; group < active.length; group++) {
      const column = active[group]!;
      if (column < 0) {
        variance += this.tau(group);
      } else {
        mean += weights[start + column * size + parts.mean]!;
        variance += weights[start + column * size + parts.variance]!;
      }
    }
    sum.mean = mean;
    sum.variance = variance;
  }

  /** A sum and the means of the active columns, as `addTo` adds them. */
  plusMeans(sum: number, row: number, active: Int32Array): number {
    this.#followDictionary();
    const weights = this.#weights;
    const first = this.#at(row, 0) + parts.mean;
    let mean = sum;
    for (let group = 0; group < active.length; group++) {
      const column = active[group]!;
      if (column >= 0) mean += weights[first + column * size]!;
    }
    return mean;
  }

  /** The prior variances of that many groups. */
  taus(groups: number): number[] {
    this.#followDictionary();
    return Array.from({ length: groups }, (_, group) => this.tau(group));
  }

  /** The prior variance that a group had before any data. */
  startingTau(group: number): number {
    return group === 0 ? this.prior.intercept : this.prior.field;
  }

  /** The prior variance of a group. */
  tau(group: number): number {
    return this.#tau[group] ?? this.prior.field;
  }

  setTau(group: number, tau: number): void {
    this.#followDictionary();
    this.#tau[group] = tau;
    for (let column = 0; column < this.#columns; column++) {
      if (this.#groups[column] !== group) continue;
      for (let row = 0; row < this.#rows; row++) this.#recompute(this.#at(row, column), tau);
    }
  }

  /**
   * Empirical Bayes: gives every group the prior variance that its weights with data speak for. A group whose
   * weights all have none gets its starting value.
   */
  learnTau(): void {
    this.#followDictionary();
    const squares = new Float64Array(this.#tau.length);
    const freedom = new Float64Array(this.#tau.length);
    for (let row = 0; row < this.#rows; row++) {
      for (let column = 0; column < this.#columns; column++) {
        const at = this.#at(row, column);
        if (!(this.#part(at, 'lam') > 0)) continue;
        const group = this.#groups[column]!;
        const mean = this.#part(at, 'mean');
        const informed = 1 - this.#part(at, 'variance') / this.tau(group);
        squares[group]! += mean * mean;
        freedom[group]! += informed > 0 ? informed : 0;
      }
    }
    for (let group = 0; group < squares.length; group++) {
      const tau = (squares[group]! + priorWeights * this.startingTau(group)) / (freedom[group]! + priorWeights);
      this.setTau(group, tau > leastTau ? tau : leastTau);
    }
  }

  /** Gives a row that share of another row's data (or of its own), in [0, 1]. */
  inherit(row: number, from: number, share: number): void {
    this.#followDictionary();
    for (let column = 0; column < this.#columns; column++) {
      const at = this.#at(row, column);
      const source = this.#at(from, column);
      this.#weights[at + parts.eta] = share * this.#part(source, 'eta');
      this.#weights[at + parts.lam] = share * this.#part(source, 'lam');
      this.#recompute(at, this.#tauOf(column));
    }
  }

  /** Gives every weight what a fit found: its mean, and the data's precision, row after row as `values` has them. */
  setFitted(means: Float64Array, precisions: Float64Array): void {
    const [weights, columns] = [this.#weights, this.#columns];
    const priors = Float64Array.from({ length: columns }, (_, column) => 1 / this.#tauOf(column));
    for (let row = 0; row < this.#rows; row++) {
      for (let column = 0; column < columns; column++) {
        const at = this.#at(row, column);
        const mean = means[row * columns + column]!;
        const lam = precisions[row * columns + column]!;
        const variance = 1 / (priors[column]! + lam);
        weights[at + parts.eta] = mean / variance;
        weights[at + parts.lam] = lam;
        weights[at + parts.mean] = mean;
        weights[at + parts.variance] = variance;
      }
    }
  }

  /** Adds to the means what is known beside the data, row after row as `values` has them. */
  add(means: Float64Array): void {
    const sums = this.values('mean');
    for (let at = 0; at < sums.length; at++) sums[at]! += means[at] ?? 0;
    this.setFitted(sums, this.values('lam'));
  }

  /** The means of the intercepts, row after row. */
  intercepts(): Float64Array {
    return Float64Array.from({ length: this.#rows }, (_, row) => this.#part(this.#at(row, 0), 'mean'));
  }

  /** One number of every weight, row after row. */
  values(name: keyof typeof parts): Float64Array {
    this.#followDictionary();
    const [weights, columns, part] = [this.#weights, this.#columns, parts[name]];
    const values = new Float64Array(this.#rows * columns);
    for (let row = 0; row < this.#rows; row++) {
      const start = this.#at(row, 0) + part;
      for (let column = 0; column < columns; column++) values[row * columns + column] = weights[start + column * size]!;
    }
    return values;
  }

  #at(row: number, column: number): number {
    return (row * this.#stride + column) * size;
  }

  #part(at: number, name: keyof typeof parts): number {
    return this.#weights[at + parts[name]]!;
  }

  #recompute(at: number, tau: number): void {
    const variance = 1 / (1 / tau + this.#part(at, 'lam'));
    this.#weights[at + parts.variance] = variance;
    this.#weights[at + parts.mean] = variance * this.#part(at, 'eta');
  }

  #tauOf(column: number): number {
    return this.tau(this.#groups[column] ?? 0);
  }

  /** Gives columns to the values that the dictionary has met meanwhile, and groups to its new fields. */
  #followDictionary(): void {
    if (this.#groups.length !== this.#columns) this.#addColumns();
  }

  #addColumns(): void {
    const known = this.#columns;
    const columns = this.#groups.length;
    if (columns > this.#stride) this.#makeRoom(this.#rows, 2 * columns);
    this.#columns = columns;
    let groups = this.#tau.length;
    for (let column = known; column < columns; column++) groups = Math.max(groups, this.#groups[column]! + 1);
    const { field } = this.prior;
    this.#tau = Float64Array.from({ length: groups }, (_, group) => this.#tau[group] ?? field);
    for (let row = 0; row < this.#rows; row++) {
      for (let column = known; column < columns; column++) this.#recompute(this.#at(row, column), this.#tauOf(column));
    }
  }

  #makeRoom(rows: number, stride: number): void {
    const weights = new Float64Array(rows * stride * size);
    for (let row = 0; row < this.#rows; row++) {
      const start = this.#at(row, 0);
      const length = this.#columns * size;
      weights.set(this.#weights.subarray(start, start + length), row * stride * size);
    }
    this.#weights = weights;
    this.#stride = stride;
  }
}
