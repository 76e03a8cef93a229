import type { Output, Tool } from '../../lib/types.ts';

/** An example tool, which shows what a model needs to know about a tool. */
export const exampleTool: Tool = {
  name: 'find_order',
  description: 'Finds an order by its number. Call it when the customer asks about an order.',
  parameters: {
    type: 'object',
    properties: {
      number: { type: 'string', description: 'The number of the order, such as A-1042.' },
      include_items: { type: 'boolean', description: 'Whether to list the ordered items.' },
    },
    required: ['number'],
    additionalProperties: false,
  },
};

export const exampleOutput: Output = {
  schema: {
    type: 'object',
    properties: {
      category: { type: 'string', description: 'What the request is about.', enum: ['order', 'refund', 'other'] },
      urgent: { type: 'boolean', description: 'Whether the customer is waiting for an answer today.' },
      reply: { type: 'string', description: 'The reply to the customer.' },
    },
    required: ['category', 'urgent', 'reply'],
    additionalProperties: false,
  },
  strict: true,
};
