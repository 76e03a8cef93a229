import type { ModelMessage } from '../../../contract/model-messages.ts';
import type { ChatPart } from '../chat-parts.ts';

/** A request for a completion. It has the shape of OpenAI's chat completions, regardless of the server's protocol. */
export interface ChatRequest {
  model: string;
  messages: ModelMessage[];
  /** All other fields of the request, from the prompt's config. */
  parameters: Record<string, unknown>;
}

/** A request for a completion, in the form in which it is sent. */
export interface ChatCall {
  /** The path below the base URL. */
  path: string;
  body: Record<string, unknown>;
}

/** Parses the data of one event, or a response that is not streamed. Returns undefined at the end marker. */
export type ChatReader = (data: string) => ChatPart[] | undefined;

/** The protocol of a model server. */
export interface Protocol {
  /** The name of the protocol in messages for users. */
  name: string;
  /** The usual end of base URLs. */
  baseEnding: string;
  toHeaders(key: string | undefined): Record<string, string>;
  /** The path of the list of models. */
  modelsPath: string;
  /** Returns the ids in a list of models, or undefined if the value is not such a list. */
  toModelIds(list: Record<string, unknown>): string[] | undefined;
  /** Converts a request. Throws an `unsupported_by_model` error if a part of the request has no equivalent in the protocol. */
  toCall(request: ChatRequest): ChatCall;
  /** Returns another call to try after the server refused the first one. */
  toRetry?(call: ChatCall, refusal: string): ChatCall | undefined;
  /** Creates a reader for one response. */
  openReader(host: string): ChatReader;
}

/** Describes a response that does not follow the protocol of the connection. */
export function describeUnknownProtocol({ host }: { host: string }, protocol: ProtocolName): string {
  return `${host} ${toProtocolHint(protocol)}`;
}

export function toProtocolHint({ name, baseEnding }: ProtocolName): string {
  return `does not support the ${name} protocol at this base address, which usually ends in ${baseEnding}`;
}

type ProtocolName = Pick<Protocol, 'name' | 'baseEnding'>;
