export const tracesPath = '/v1/traces';
export const logsPath = '/v1/logs';
/** The path to which Langfuse's SDKs send traces. */
export const langfuseTracesPath = '/api/public/otel/v1/traces';

const paths = new Set([tracesPath, logsPath, langfuseTracesPath]);

/** Returns whether a request uses OpenTelemetry's protocol, whose errors have another shape. */
export function isOtlpUrl(url: string | undefined): boolean {
  return url !== undefined && paths.has(url.split('?', 1)[0] ?? '');
}
