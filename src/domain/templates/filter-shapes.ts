import { type Token, TypeGuards } from 'liquidjs';
import { listOfItems, type UsedValue, type UsedValues } from './shapes.ts';
import { type FilterParts, filterTokens } from './syntax.ts';

/** List filters that return some or all items of the list, possibly in a different order. */
const selectingFilters = new Set(
  'compact concat pop push reject reject_exp reverse shift sort sort_natural uniq unshift where where_exp'.split(' '),
);
/** List filters that return one item. */
const pickingFilters = new Set(['find', 'find_exp', 'first', 'last']);
/** List filters whose result is not part of the list. */
const readingFilters = new Set('array_to_sentence_string find_index find_index_exp group_by group_by_exp has has_exp join sum'.split(' '));
/** Filters whose first argument names a field of each item. */
const fieldFilters = new Set('find find_index group_by has map reject sort sort_natural sum uniq where'.split(' '));
/** Filters that accept values of any kind. */
const anyKindFilters = new Set(['json', 'jsonify', 'inspect', 'size', 'slice']);

/** Records what a filter reveals about its input. If the filter returns a part of its input, returns that part. */
export function applyFilter(values: UsedValues, input: UsedValue, { name, args }: FilterParts): UsedValue | undefined {
  if (name === 'default') return input;
  if (anyKindFilters.has(name)) {
    input.isUnknown = true;
    return undefined;
  }
  const isPicking = pickingFilters.has(name);
  const isSelecting = selectingFilters.has(name);
  if (name !== 'map' && !isPicking && !isSelecting && !readingFilters.has(name)) return undefined;
  const item = values.item(input);
  const field = item && fieldFilters.has(name) ? useFields(values, item, filterTokens(args)[0]) : undefined;
  if (name === 'map') return field && listOfItems(field);
  if (isPicking) return item;
  return isSelecting ? input : undefined;
}

/** Returns the field of each item that a path such as `address.city` leads to. */
function useFields(values: UsedValues, item: UsedValue, path: Token | undefined): UsedValue | undefined {
  if (!path || !TypeGuards.isQuotedToken(path)) return undefined;
  let value: UsedValue | undefined = item;
  for (const name of path.content.split('.', 10)) value = value && values.field(value, name);
  return value;
}
