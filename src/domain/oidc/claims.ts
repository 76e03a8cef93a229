import type { IDToken, JsonValue, UserInfoResponse } from 'openid-client';
import { AppError } from '../../errors.ts';
import type { ProviderSettings } from '../../sign-in-settings.ts';
import { parseEmail } from '../accounts/emails.ts';
import { toStorable } from '../ids.ts';

/** The claims that a provider makes about a person. */
export interface Claims {
  issuer: string;
  /** The value of the claim that identifies the person. */
  subject: string;
  /** The `sub`, which logout tokens name. */
  sub: string;
  /** The `sid` of the person's session at the provider. */
  sessionId: string | null;
  email: string | undefined;
  /** Whether the provider vouches for the address and is allowed to do so. */
  isEmailTrusted: boolean;
  name: string | undefined;
  /** When the provider stated the claims. */
  issuedAt: Date;
  /** When the person last signed in at the provider. Undefined if the provider does not say. */
  authenticatedAt: Date | undefined;
  /** The person's groups. Undefined if the settings do not use the provider's groups. */
  groups: string[] | undefined;
}

type Source = IDToken | UserInfoResponse;
const maxGroups = 10_000;
const maxIdLength = 2000;

/** Returns whether the id token lacks claims that the provider may state elsewhere. */
export function needsUserInfo(token: IDToken, { groups }: ProviderSettings): boolean {
  return token.email === undefined || (groups !== undefined && valueAt(token, groups.claim) === undefined);
}

export function readClaims(token: IDToken, userInfo: UserInfoResponse | undefined, settings: ProviderSettings): Claims {
  const { subjectClaim, domains, groups } = settings;
  // The subject must come from the signed token, because the user info could belong to another token.
  const subject = subjectClaim === 'sub' ? token.sub : token[subjectClaim];
  if (typeof subject !== 'string' || subject === '' || subject.length > 255) {
    throw new Error(`The claim ${subjectClaim} of the id token is missing, too long or not a string`);
  }
  const sessionId = typeof token.sid === 'string' && token.sid !== '' ? token.sid : null;
  // A session without these values could not be ended by a logout token that names them.
  const isStorable = [subject, token.sub, sessionId ?? ''].every((id) => id.length <= maxIdLength && id === toStorable(id));
  if (!isStorable) throw new Error('The claim sub or sid of the id token is too long or not plain text');
  const issuedAt = toTime(token.iat);
  if (!issuedAt) throw new Error('The claim iat of the id token is not a time');
  // The address and the statement that it is verified come from the same place. Otherwise, the statement could be about another address.
  const source: Source = token.email === undefined && userInfo ? userInfo : token;
  const email = typeof source.email === 'string' ? parseEmail(source.email) : undefined;
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  const name = [token.name, userInfo?.name].find((each): each is string => typeof each === 'string' && each.trim() !== '');
  return {
    issuer: settings.issuer,
    subject,
    sub: token.sub,
    sessionId,
    email,
    isEmailTrusted: source.email_verified === true && domain !== undefined && domains.includes(domain),
    name: name && toName(name),
    issuedAt,
    authenticatedAt: toTime(token.auth_time),
    groups: groups && readGroups([token, ...(userInfo ? [userInfo] : [])], groups.claim),
  };
}

/**
 * Returns the person's groups. Providers leave the claim out if the person has no groups. If there are too many groups, some providers name
 * another source instead. In that case, this function throws, so that the person does not count as a person without groups.
 */
function readGroups(sources: Source[], claim: string): string[] {
  const value = sources.map((source) => valueAt(source, claim)).find((each) => each !== undefined);
  if (value === undefined) {
    const isElsewhere = sources.some(({ _claim_names: names, hasgroups }) => hasgroups === true || hasField(names, claim));
    if (isElsewhere) throw new AppError('groups_missing');
    return [];
  }
  const values = Array.isArray(value) ? value : [value];
  if (values.length > maxGroups) throw new AppError('groups_missing');
  return values.filter((each) => typeof each === 'string');
}

/** Finds a claim by its name or, for claims inside other claims such as `realm_access.roles`, by its path. */
function valueAt(source: Source, claim: string): JsonValue | undefined {
  if (Object.hasOwn(source, claim)) return source[claim];
  let value: JsonValue | undefined = source as Record<string, JsonValue>;
  for (const name of claim.split('.')) {
    if (!hasField(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function hasField(value: JsonValue | undefined, name: string): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

function toTime(seconds: unknown): Date | undefined {
  const time = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Returns the name in the form in which accounts store it. */
function toName(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  return [...plain].slice(0, 100).join('');
}
