import { Drop } from 'liquidjs';

/** What a template can read about the loop that it is in. LiquidJS does not export its own. */
export class Forloop extends Drop {
  i = 0;
  readonly length: number;
  readonly name: string;

  constructor(length: number, name: string) {
    super();
    this.length = length;
    this.name = name;
  }

  next(): void {
    this.i += 1;
  }

  index0(): number {
    return this.i;
  }

  index(): number {
    return this.i + 1;
  }

  first(): boolean {
    return this.i === 0;
  }

  last(): boolean {
    return this.i === this.length - 1;
  }

  rindex(): number {
    return this.length - this.i;
  }

  rindex0(): number {
    return this.length - this.i - 1;
  }

  override valueOf(): string {
    return JSON.stringify(this);
  }
}
