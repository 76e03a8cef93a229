/** A number that operators watch. A counter only grows. */
export interface StoreMetric {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  value: number;
}
