import { Type } from 'typebox';
import { objectOf } from './shapes.ts';

export const Health = objectOf('Health', { status: 'ok' }, { status: Type.Literal('ok') });
