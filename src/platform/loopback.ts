/** The addresses of `localhost`. The second one is missing on machines without IPv6. */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;
