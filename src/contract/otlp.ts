import { Type } from 'typebox';
import { exactObject, objectOf } from './shapes.ts';

// These are the messages of OpenTelemetry's protocol, OTLP over HTTP. Requests are decoded in domain/results/intake, and not validated
// here.

export const protobufMediaType = 'application/x-protobuf';

/** The body of a request or response, in JSON with this shape or in protobuf with the same messages. */
const inBothFormats = <T>(shape: object) => Type.Unsafe<T>({ ...shape, 'x-media-types': ['application/json', protobufMediaType] } as never);

const requestShape = (field: string) => ({
  type: 'object',
  description: `\`{"${field}": […]}\`, as OpenTelemetry's protocol defines it.`,
});
export const TraceRequest = inBothFormats<unknown>(requestShape('resourceSpans'));
export const LogsRequest = inBothFormats<unknown>(requestShape('resourceLogs'));

const rejected = (what: string) => Type.String({ description: `The number of ${what} that were refused, as text.` });
const errorMessage = Type.String();

export const TraceResponse = inBothFormats<unknown>(
  objectOf('TraceResponse', {}, { partialSuccess: Type.Optional(exactObject({ rejectedSpans: rejected('spans'), errorMessage })) }),
);
export const LogsResponse = inBothFormats<unknown>(
  objectOf(
    'LogsResponse',
    {},
    { partialSuccess: Type.Optional(exactObject({ rejectedLogRecords: rejected('log records'), errorMessage })) },
  ),
);

/** The shape of errors, which is google.rpc.Status. */
export const OtlpError = inBothFormats<unknown>(
  objectOf(
    'OtlpError',
    { code: 3, message: 'The body is not valid gzip' },
    { code: Type.Integer({ description: 'A gRPC status code.' }), message: Type.String() },
  ),
);
