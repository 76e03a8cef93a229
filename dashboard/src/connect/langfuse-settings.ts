interface LangfuseTarget {
  origin: string;
  key: string;
  /** The `userId`, which the SDKs send as the public key. */
  userId: string;
}

/**
 * The environment of programs with Langfuse's SDKs. The name of the address setting depends on the version of the SDK. An SDK that does not
 * find its setting sends the key to Langfuse's cloud.
 */
export const langfuseSettings = ({ origin, key, userId }: LangfuseTarget) => `export LANGFUSE_BASE_URL=${origin}
export LANGFUSE_BASEURL=${origin}
export LANGFUSE_HOST=${origin}
export LANGFUSE_PUBLIC_KEY=${userId}
export LANGFUSE_SECRET_KEY=${key}`;
