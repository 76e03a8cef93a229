import { type Static, Type } from 'typebox';
import { maxTemplateCharacters } from './limits.ts';
import { exactObject } from './shapes.ts';

// This file contains the parts that a message can have besides plain text. All values of a part are templates, so each can come from a
// variable.

const Text = (description: string) => Type.String({ maxLength: maxTemplateCharacters, description });
const Data = Text('The bytes in Base64.');
const MediaType = Type.String({ pattern: '^[a-z]+/[A-Za-z0-9.+-]{1,100}$', description: 'Such as `image/png`.' });

const TextPart = exactObject({ type: Type.Literal('text'), text: Text('A template.') });

const detail = Type.Optional(Type.Enum(['auto', 'low', 'high'], { description: 'How closely a model looks at the image.' }));
const ImagePart = Type.Union([
  exactObject({ type: Type.Literal('image'), url: Text('A URL or data URL. `{{ photo }}` takes it from a variable.'), detail }),
  exactObject({ type: Type.Literal('image'), data: Data, mediaType: MediaType, detail }),
]);

const AudioPart = exactObject({
  type: Type.Literal('audio'),
  data: Data,
  mediaType: Type.Enum(['audio/wav', 'audio/mpeg'], { description: 'The formats that model APIs accept.' }),
});

const filename = Type.Optional(Text('The name that the model sees.'));
const FilePart = Type.Union([
  exactObject({ type: Type.Literal('file'), url: Text('A data URL, or a URL if the model API accepts one.'), filename }),
  exactObject({ type: Type.Literal('file'), data: Data, mediaType: MediaType, filename }),
]);

export const ContentPart = Type.Union([TextPart, ...ImagePart.anyOf, AudioPart, ...FilePart.anyOf], {
  title: 'ContentPart',
  examples: [{ type: 'image', url: '{{ photo }}' }],
});
export type ContentPart = Static<typeof ContentPart>;
