/** A metric of the store, for `GET /metrics`. */
export interface StoreMetric {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  value: number;
}
