import { showContent } from '../../../../src/contract/message-content.ts';
import type { DeclaredVariable, Message, PromptType } from '../../lib/types.ts';
import { type Draft, emptyDraft, syntaxOf, textOf, variablesText } from '../drafts/draft.ts';
import { mergeConfig, mergeOutput, mergeTools } from './merge-config.ts';
import { mergeNamed } from './merge-json.ts';
import { type MergedMessages, mergeMessages } from './merge-messages.ts';
import { mergeText, type Sides } from './merge-text.ts';

/** A part of a draft's content. */
export type Piece = Partial<Draft>;

/** A part of the merged content. In a conflict, `mine` and `theirs` differ only where both sides changed the same content. */
export interface Part {
  mine: Piece;
  theirs: Piece;
  /** The conflict in this part. Undefined if the sides agree. */
  conflict?: Conflict;
}

export interface Conflict {
  /** The title of the conflict, which is unique and therefore also its key. */
  title: string;
  isJson?: boolean;
  /** The content of each side. Undefined if the side removed it. */
  texts: { mine: string | undefined; theirs: string | undefined };
  /** The contents of both sides together, if both can be kept. */
  both?: Piece;
  edit?: { start: string; toPiece: (text: string) => Piece };
}

/** Merges a draft with a version that was saved later than the version on which the draft is based. */
export function mergeDrafts(type: PromptType, sides: Sides<Draft>): Part[] {
  return [
    ...mergeContent(type, sides),
    mergeVariables(sides),
    mergeTexts({ title: 'Tools', field: 'tools', merge: mergeTools }, sides),
    mergeTexts({ title: 'Output schema', field: 'output', merge: mergeOutput }, sides),
    mergeTexts({ title: 'Config', field: 'config', merge: mergeConfig }, sides),
  ];
}

export type Choice = 'mine' | 'theirs' | 'both' | { edited: string };

/** Returns the merged content with the chosen content for each conflict, or undefined while a conflict is unresolved. */
export function composeDraft(parts: Part[], choices: ReadonlyMap<Part, Choice>): Draft | undefined {
  const draft: Draft = { ...emptyDraft };
  for (const part of parts) {
    const chosen = part.conflict ? choose(part, choices.get(part)) : part.mine;
    if (!chosen) return undefined;
    // Each message is a separate object, because the editor identifies messages by object.
    const messages = [...draft.messages, ...(chosen.messages ?? []).map((message) => ({ ...message }))];
    Object.assign(draft, chosen, { messages });
  }
  return draft;
}

function choose({ mine, theirs, conflict }: Part, choice: Choice | undefined): Piece | undefined {
  if (typeof choice === 'object') return conflict?.edit?.toPiece(choice.edited);
  if (choice === 'both') return conflict?.both;
  return choice && { mine, theirs }[choice];
}

function mergeContent(type: PromptType, sides: Sides<Draft>): Part[] {
  const { base, mine, theirs } = sides;
  const syntax = syntaxOf(mine);
  // Texts in two template languages cannot be mixed.
  if (syntax !== syntaxOf(theirs)) return [chooseWhole(type, sides)];
  const language = { mine: { syntax }, theirs: { syntax } };
  if (type === 'text') return [language, mergeTemplates({ base: base.template, mine: mine.template, theirs: theirs.template })];
  return [language, ...mergeMessages({ base: base.messages, mine: mine.messages, theirs: theirs.messages }).map(toPart)];
}

function chooseWhole(type: PromptType, { base, mine, theirs }: Sides<Draft>): Part {
  const pieceOf = (draft: Draft) => ({ syntax: syntaxOf(draft), template: draft.template, messages: draft.messages });
  const isSame = (a: Draft, b: Draft) => JSON.stringify(pieceOf(a)) === JSON.stringify(pieceOf(b));
  if (isSame(base, mine)) return { mine: pieceOf(theirs), theirs: pieceOf(theirs) };
  if (isSame(base, theirs)) return { mine: pieceOf(mine), theirs: pieceOf(mine) };
  const describe = (draft: Draft) => `[${syntaxOf(draft)}]\n${textOf(type, draft)}`;
  const texts = { mine: describe(mine), theirs: describe(theirs) };
  return { mine: pieceOf(mine), theirs: pieceOf(theirs), conflict: { title: 'Syntax and text', texts } };
}

function mergeTemplates(sides: Sides<string>): Part {
  const { mine, theirs, both } = mergeText(sides);
  const toPiece = (template: string) => ({ template });
  const conflict = { title: 'Template', texts: { mine, theirs }, edit: { start: both, toPiece } };
  return { mine: toPiece(mine), theirs: toPiece(theirs), ...(mine !== theirs && { conflict }) };
}

interface JsonPart {
  title: string;
  field: 'config' | 'tools' | 'output';
  merge: (sides: Sides<string>) => { mine: string; theirs: string };
}

/** Merges a part that is edited as JSON. */
function mergeTexts({ title, field, merge }: JsonPart, sides: Sides<Draft>): Part {
  const { mine, theirs } = merge({ base: sides.base[field], mine: sides.mine[field], theirs: sides.theirs[field] });
  const toPiece = (text: string) => ({ [field]: text });
  const conflict = { title, isJson: true, texts: { mine, theirs }, edit: { start: mine, toPiece } };
  return { mine: toPiece(mine), theirs: toPiece(theirs), ...(mine !== theirs && { conflict }) };
}

function mergeVariables({ base, mine, theirs }: Sides<Draft>): Part {
  const merged = mergeNamed({ base: base.variables, mine: mine.variables, theirs: theirs.variables });
  // Merging keeps the form of the declarations.
  const toPiece = (variables: unknown) => ({ variables: variables as DeclaredVariable[] });
  const [own, other] = [toPiece(merged.mine), toPiece(merged.theirs)];
  const texts = { mine: variablesText(own), theirs: variablesText(other) };
  return { mine: own, theirs: other, ...(texts.mine !== texts.theirs && { conflict: { title: 'Variables', isJson: true, texts } }) };
}

function toPart(merged: MergedMessages): Part {
  const { base, mine, theirs, both } = merged;
  const contents = { mine: { messages: mine }, theirs: { messages: theirs } };
  if (mine === theirs) return contents;
  const [own] = mine;
  return {
    ...contents,
    conflict: {
      title: titleOf(merged),
      texts: textsOf(merged),
      ...(base.length === 0 && { both: { messages: [...theirs, ...mine] } }),
      ...(both !== undefined && own && { edit: { start: both, toPiece: (content) => ({ messages: [{ ...own, content }] }) } }),
    },
  };
}

function titleOf({ base, mine, theirs, places }: MergedMessages): string {
  if (base.length === 0)
    return `Messages that both of you added ${places.mine === 1 ? 'at the start' : `after message ${places.mine - 1}`}`;
  if (mine.length === 0) return `${nameOf(theirs, places.theirs)}, which you removed`;
  if (theirs.length === 0) return `${nameOf(mine, places.mine)}, which they removed`;
  return nameOf(mine, places.mine);
}

function nameOf({ length }: Message[], place: number): string {
  return length === 1 ? `Message ${place}` : `Messages ${place} to ${place + length - 1}`;
}

/** Returns the content of both sides. The role of a message is included if the sides differ in more than the content. */
function textsOf({ mine, theirs }: MergedMessages): { mine: string | undefined; theirs: string | undefined } {
  const [own, other] = [mine[0], theirs[0]];
  const isOneEach = mine.length === 1 && theirs.length === 1;
  if (isOneEach && own && other && 'content' in own && 'content' in other && own.role === other.role) {
    return { mine: showContent(own.content), theirs: showContent(other.content) };
  }
  const describe = (messages: Message[]) => (messages.length === 0 ? undefined : textOf('chat', { template: '', messages }));
  return { mine: describe(mine), theirs: describe(theirs) };
}
