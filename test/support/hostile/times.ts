import { isCampaign } from '../campaign.ts';

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Makes the requests of an attack. `npm test` makes a third as many as the campaign. */
export function flood<T>(count: number, make: (index: number) => T): T[] {
  return times(isCampaign ? count : Math.ceil(count / 3), make);
}
