import {
  AliasNode,
  AndNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  ParensNode,
  type PluginTransformQueryArgs,
  RawNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  WhereNode,
} from 'kysely';

/** Makes every select call `within_deadline` for each row that it visits. The function throws when the query has taken too long. */
export const deadlinePlugin: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

const call = 'within_deadline()';
/**
 * The rows of a prompt in `prompt_texts` start with version 0. The function is called only once for each prompt, because a call takes
 * longer than visiting a short text.
 */
const callPerPrompt = `(prompt_texts.version <> 0 or ${call})`;

class DeadlineTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const select = super.transformSelectQuery(node);
    // Only selects from tables need the condition, because all other selects only visit rows that selects from tables have found. A
    // subquery may already have been transformed.
    const tables = select.from?.froms.flatMap((from) => findTable(from) ?? []) ?? [];
    if (tables.length === 0 || hasCondition(select)) return select;
    const condition = RawNode.createWithSql(tables.every((table) => table === 'prompt_texts') ? callPerPrompt : call);
    // This condition comes first, because conditions are evaluated in order, and a row that an earlier condition excludes would not be
    // counted.
    const where = select.where ? AndNode.create(condition, ParensNode.create(select.where.where)) : condition;
    return { ...select, where: WhereNode.create(where) };
  }
}

const transformer = new DeadlineTransformer();

/** Returns the name of a table, or an empty name if the table has an alias. Returns undefined for a source that is not a table. */
function findTable(node: OperationNode): string | undefined {
  if (TableNode.is(node)) return node.table.identifier.name;
  return AliasNode.is(node) && TableNode.is(node.node) ? '' : undefined;
}

function hasCondition({ where }: SelectQueryNode): boolean {
  const first = where && AndNode.is(where.where) ? where.where.left : where?.where;
  return first !== undefined && RawNode.is(first) && [call, callPerPrompt].includes(first.sqlFragments[0] ?? '');
}
