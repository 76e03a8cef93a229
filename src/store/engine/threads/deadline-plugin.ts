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

const functionCall = 'within_deadline()';
const condition = RawNode.createWithSql(functionCall);

class DeadlineTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const select = super.transformSelectQuery(node);
    // Only selects from tables need the condition, because all other selects only visit rows that selects from tables have found. A
    // subquery may already have been transformed.
    if (!select.from?.froms.some(isTable) || hasCondition(select)) return select;
    // The condition comes first. Conditions are evaluated in order, and a row that an earlier condition excludes would not be counted.
    const where = select.where ? AndNode.create(condition, ParensNode.create(select.where.where)) : condition;
    return { ...select, where: WhereNode.create(where) };
  }
}

const transformer = new DeadlineTransformer();

function isTable(node: OperationNode): boolean {
  return TableNode.is(AliasNode.is(node) ? node.node : node);
}

function hasCondition({ where }: SelectQueryNode): boolean {
  const first = where && AndNode.is(where.where) ? where.where.left : where?.where;
  return first !== undefined && RawNode.is(first) && first.sqlFragments[0] === functionCall;
}
