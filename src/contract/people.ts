import { type Static, Type } from 'typebox';
import { objectOf } from './shapes.ts';

/** The way in which a change was made. */
export const Via = Type.Enum(['api', 'dashboard'], {
  description:
    '`api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were saved before the service recorded this.',
});
export type Via = Static<typeof Via>;

export const examplePerson = { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', name: 'Ada Lovelace', via: 'dashboard' };

/** The author of a change. This person may have left the workspace since then. */
export const Person = objectOf('Person', examplePerson, {
  userId: Type.Optional(Type.String({ description: 'The account or service account. Absent if the change was imported.' })),
  name: Type.String({ description: 'Their name at that time.' }),
  via: Type.Optional(Via),
  imported: Type.Optional(
    Type.Literal(true, {
      description:
        'The change was made in another service and imported. A member of this workspace who has the same name may be a different person.',
    }),
  ),
});
export type Person = Static<typeof Person>;

/** A person with an account on this service. */
export interface ServicePerson {
  userId: string;
  name: string;
  via: Via;
}
