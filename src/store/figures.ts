/** A number an operator watches. A counter only ever grows. */
export interface StoreFigure {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  value: number;
}
