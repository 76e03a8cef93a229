/** The values of a metric over units: each unit, a key, has one value, however many calls it made. */
export interface UnitSums {
  units: number;
  total: number;
  squares: number;
}

/**
 * What the units of an arm did in one stage of a release. The values of `errorRate` are shares of failed calls, those of `latency` and `cost`
 * means of natural logarithms, and those of a score (`score:` and its name) means.
 */
export interface ArmResults {
  version: number;
  units: number;
  calls: number;
  metrics: Map<string, UnitSums>;
}
