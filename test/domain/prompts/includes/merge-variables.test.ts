import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createVariableMerger } from '../../../../src/domain/prompts/includes/merge-variables.ts';
import type { IncludeReference } from '../../../../src/domain/templates/template-types.ts';

interface Node {
  variables: { name: string; required: boolean }[];
  partials: IncludeReference[];
}

const variableNames = Array.from({ length: 40 }, (_, index) => `v${index}`);
const anyVariables = fc.uniqueArray(fc.record({ name: fc.constantFrom(...variableNames), required: fc.boolean() }), {
  selector: ({ name }) => name,
  maxLength: 6,
});
const anyInclude = fc.record({
  /** The distance in the list from a node to the node that it includes. It is at least 1, so that nothing includes itself. */
  distance: fc.integer({ min: 1, max: 6 }),
  conditional: fc.boolean(),
  bound: fc.uniqueArray(fc.constantFrom(...variableNames), { maxLength: 3 }),
});
const anyGraph = fc.array(fc.record({ variables: anyVariables, includes: fc.array(anyInclude, { maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 9,
});

const loaded = { type: 'text', syntax: 'liquid', promptId: 'p', version: 1, text: '', isPortable: () => true } as const;

describe('The variables of a prompt and of the prompts that it includes', () => {
  it('are all variables that some path of includes needs, for any graph', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const nodes = graph.map(({ variables, includes }, index): Node => {
          const partials = includes.map(({ distance, conditional, bound }) => ({
            name: `p${index + distance}`,
            label: 'production',
            conditional,
            bound,
          }));
          return { variables, partials };
        });
        const partials = new Map(nodes.map((node, index) => [`p${index}|production`, { ...node, ...loaded }]));
        const merge = createVariableMerger({ partials });
        for (const node of nodes) {
          const merged = merge(node);
          assert.deepEqual(new Map(merged.map(({ name, required }) => [name, required])), follow(node, nodes));
          assert.deepEqual(
            merged.slice(0, node.variables.length).map(({ name }) => name),
            node.variables.map(({ name }) => name),
          );
        }
      }),
    );
  });

  it('have the declarations of included prompts, marked as inherited, unless the prompt declares the variable itself', () => {
    const include = (name: string, bound: string[] = []) => ({ name, label: 'production', conditional: false, bound });
    const own = { name: 'tone', required: true };
    const declared = { name: 'tone', required: true, type: 'enum' as const, values: ['warm', 'dry'], default: 'warm' };
    const other = { name: 'tone', required: true, description: 'Another one' };
    const nodes: [string, Pick<Node, 'partials'> & { variables: (typeof declared | typeof other)[] }][] = [
      ['b', { variables: [other], partials: [] }],
      ['a', { variables: [declared], partials: [] }],
      ['outer', { variables: [], partials: [include('a')] }],
      ['binding', { variables: [], partials: [include('a', ['tone'])] }],
    ];
    const partials = new Map(nodes.map(([name, node]) => [`${name}|production`, { ...loaded, ...node }]));
    const merge = createVariableMerger({ partials });
    const inherited = { name: 'tone', required: false, type: 'enum', values: ['warm', 'dry'], default: 'warm', inherited: true };
    assert.deepEqual(merge({ variables: [], partials: [include('outer')] }), [inherited]);
    assert.deepEqual(merge({ variables: [own], partials: [include('b'), include('a')] }), [inherited], 'the first by name decides');
    assert.deepEqual(merge({ variables: [own], partials: [include('b')] }), [{ ...other, inherited: true }]);
    assert.deepEqual(merge({ variables: [other], partials: [include('a')] }), [other], 'its own declaration comes first');
    assert.deepEqual(merge({ variables: [own], partials: [include('binding')] }), [own], 'a bound variable is another one');
    assert.deepEqual(merge({ variables: [own], partials: [] }), [own], 'nothing of prompts that it does not include');
  });

  it('cost the same for any number of includes once there are more fields than are listed', () => {
    const fields = Array.from({ length: 400 }, (_, index) => ({ name: `f${index}`, required: true, kind: 'text' as const }));
    const variables = [{ name: 'customer', required: true, kind: 'object' as const, fields }];
    const looked = (includes: number) => {
      let count = 0;
      const references = Array.from({ length: includes }, (_, index) => ({
        name: 'leaf',
        label: 'production',
        bound: [`b${index}`],
        conditional: true,
        get passed() {
          count += 1;
          return {};
        },
      }));
      const leaf = { ...loaded, variables, partials: [] };
      createVariableMerger({ partials: new Map([['leaf|production', leaf]]) })({ variables: [], partials: references });
      return count;
    };
    assert.equal(looked(1000), looked(10));
  });
});

/** Computes the expected result by following every path, which takes exponential time. */
function follow({ variables, partials }: Node, nodes: Node[]): Map<string, boolean> {
  const found = new Map(variables.map(({ name, required }) => [name, required]));
  for (const { name, conditional, bound } of partials) {
    const included = nodes[Number(name.slice(1))];
    if (!included) continue;
    for (const [variable, required] of follow(included, nodes)) {
      if (!bound.includes(variable)) found.set(variable, (found.get(variable) ?? false) || (required && !conditional));
    }
  }
  return found;
}
