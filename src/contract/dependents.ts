import { type Static, Type } from 'typebox';
import { productionLabel } from './label-names.ts';
import { listOf } from './lists.ts';
import { PromptType } from './versions.ts';

export const Dependent = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: PromptType,
    via: Type.Union([Type.String(), Type.Null()], {
      description: 'The prompt that it includes, where it includes this one only through others; null where it includes this one itself.',
    }),
    includes: Type.Array(
      Type.Object({
        label: Type.String({ description: 'The label at which it includes this prompt, or `via`.' }),
        version: Type.Integer({ description: 'The version of the dependent that includes it.' }),
        labels: Type.Array(Type.String(), { description: 'The labels of the dependent that point at this version, `latest` among them.' }),
      }),
    ),
    callsLast24Hours: Type.Integer({ minimum: 0, description: 'Calls of the dependent itself.' }),
  },
  {
    title: 'Dependent',
    examples: [
      {
        id: 'p_mhz1k3p0_0005f0c9a7e21d4b836',
        name: 'support/triage',
        type: 'text',
        via: null,
        includes: [{ label: productionLabel, version: 3, labels: ['latest', productionLabel] }],
        callsLast24Hours: 1197,
      },
    ],
  },
);
export type Dependent = Static<typeof Dependent>;

export const DependentList = listOf('DependentList', Dependent);
