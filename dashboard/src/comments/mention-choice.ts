/** The part of the text that the user is completing: the characters between `@` and the cursor. */
export interface OpenMention {
  start: number;
  typed: string;
}

interface Person {
  userId: string;
  name: string;
  email: string | null;
}

const maxTyped = 40;
const maxSuggestions = 6;

/** Finds the mention before the cursor. A name may contain spaces. */
export function findOpenMention(text: string, cursor: number): OpenMention | undefined {
  const found = /(?:^|[^\p{L}\p{N}._%+-])@([^\n@]*)$/u.exec(text.slice(0, cursor));
  const typed = found?.[1];
  return typed === undefined || typed.length > maxTyped ? undefined : { start: cursor - typed.length - 1, typed };
}

/**
 * Lists the people whose name has a word that begins with the typed text, or whose email address begins with it. A complete name needs no
 * suggestion.
 */
export function suggestPeople<T extends Person>(people: T[], typed: string): T[] {
  const begin = typed.toLowerCase();
  const matches = ({ name, email }: Person) => {
    const words = name.toLowerCase();
    return words.startsWith(begin) || words.includes(` ${begin}`) || (email?.toLowerCase().startsWith(begin) ?? false);
  };
  const found = people.filter(matches);
  return found.length === 1 && found[0]?.name.toLowerCase() === begin.trim() ? [] : found.slice(0, maxSuggestions);
}

/** Returns how a person is mentioned: by name or, if others have the same name, by email address. */
export function toMention(person: Person, people: Person[]): string {
  const isShared = people.some(({ userId, name }) => userId !== person.userId && name.toLowerCase() === person.name.toLowerCase());
  return `@${isShared && person.email !== null ? person.email : person.name}`;
}
