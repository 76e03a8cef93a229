import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, it } from 'node:test';

const index = 'docs/README.md';
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** The links of the index, each with the whole entry, from its title to the end of its description. */
const entries = [...read(index).matchAll(/^- (\[.*?\]\((.*?)\): (?:.|\n {2})*)/gm)].map(([, text = '', target = '']) => ({
  text: text.replaceAll(/\s+/g, ' ').toLowerCase(),
  target: posix.join(posix.dirname(index), target),
}));

/** Tasks of a new user, each with the words to look for in the index, the target of the link, and what the target says about the task. */
const tasks: { task: string; words: string[]; target: string; says: string }[] = [
  { task: 'install the service', words: ['install'], target: 'docs/installing.md', says: 'Install PromptHarbor' },
  { task: 'write the first prompt', words: ['write', 'first prompt'], target: 'docs/quickstart.md', says: 'write your first prompt' },
  { task: 'fetch a prompt in Python', words: ['fetch', 'python'], target: 'clients/python/README.md', says: 'Python applications' },
  { task: 'invite a colleague', words: ['invite', 'colleague'], target: 'docs/workspaces.md#inviting-someone', says: 'Inviting someone' },
  {
    task: 'set a rule for production',
    words: ['set a rule', 'production'],
    target: 'docs/proposals.md',
    says: 'You set a rule for a label',
  },
  {
    task: 'release to 10%',
    words: ['release', '10%'],
    target: 'docs/releases.md',
    says: 'give a new version of a prompt to some of their users',
  },
  { task: 'see what a version costs', words: ['version', 'costs'], target: 'docs/results.md', says: 'what they cost' },
  { task: 'back up the data', words: ['back up'], target: 'docs/operating.md#backups', says: 'Backups' },
  { task: 'upgrade', words: ['upgrade'], target: 'docs/running.md#upgrades', says: 'Upgrades' },
  { task: 'import from Langfuse', words: ['import', 'langfuse'], target: 'docs/moving.md#from-langfuse', says: 'From Langfuse' },
];

describe('docs/README.md', () => {
  for (const { task, words, target, says } of tasks) {
    it(`leads to the page for a task: ${task}`, () => {
      const found = entries.find(({ text }) => words.every((word) => text.includes(word)));
      assert.equal(found?.target, target, `the first entry with: ${words.join(', ')}`);
      assert.ok(readOpening(target).includes(says), `${target} says: ${says}`);
    });
  }
});

/** Returns the heading to which a link leads, and the paragraph below it, in one line. */
function readOpening(target: string): string {
  const [path = '', anchor] = target.split('#');
  const openings = [...read(path).matchAll(/^#+ (.+)\n\n((?:.+\n)*)/gm)];
  const found = anchor ? openings.find(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-') === anchor) : openings[0];
  assert.ok(found, `${target} exists`);
  return found[0].replaceAll(/\s+/g, ' ');
}
