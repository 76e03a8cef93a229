import { type Static, Type } from 'typebox';
import { LabelOrLatest } from './labels.ts';
import { maxTagLength, maxViewNameLength, maxViews } from './limits.ts';
import { bodyOf, changeOf, objectOf } from './shapes.ts';
import { listSorts } from './view-sorts.ts';

const exampleFilters = { folder: 'support', deployed: false, changed: '7d', sort: '-updatedAt' };
export const ViewFilters = Type.Partial(
  Type.Object({
    search: Type.String({ maxLength: 200 }),
    folder: Type.String({ maxLength: 200 }),
    tag: Type.String({ maxLength: maxTagLength }),
    label: Type.Union(LabelOrLatest.anyOf),
    author: Type.String({ maxLength: 100 }),
    deployed: Type.Boolean(),
    changed: Type.String({
      pattern: '^(today|7d|30d|\\d{4}-\\d{2}-\\d{2})$',
      description:
        'Only prompts that were changed since this date, or since `today`, `7d` or `30d` relative to the day on which the view is opened.',
    }),
    favorites: Type.Literal(true),
    sort: Type.Enum([...listSorts]),
  }),
  {
    title: 'ViewFilters',
    additionalProperties: false,
    description: 'The filters and the order of the list. A tag, label or author that no longer exists matches no prompt.',
    examples: [exampleFilters],
  },
);
export type ViewFilters = Static<typeof ViewFilters>;

const viewFields = { name: Type.String({ minLength: 1, maxLength: maxViewNameLength }), filters: ViewFilters };

const exampleView = {
  id: 'vw_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'Not deployed',
  filters: exampleFilters,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};
export const View = objectOf('View', exampleView, {
  id: Type.String(),
  ...viewFields,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type View = Static<typeof View>;

export const ViewList = objectOf(
  'ViewList',
  { data: [exampleView] },
  { data: Type.Array(View, { description: `Sorted by name, at most ${maxViews}.` }) },
);
export type ViewList = Static<typeof ViewList>;

export const NewView = bodyOf('NewView', { name: 'Not deployed', filters: exampleFilters }, viewFields);
export type NewView = Static<typeof NewView>;

export const ViewChange = changeOf('ViewChange', { name: 'Without a label' }, viewFields);
export type ViewChange = Static<typeof ViewChange>;

export const ViewPath = Type.Object({ id: Type.String({ maxLength: 100 }) });
