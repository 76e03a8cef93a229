import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type RootOperationNode,
  type SelectQueryNode,
  sql,
  WhereNode,
} from 'kysely';

/** Makes every select call `within_deadline` for each row that it visits. The function throws when the query has taken too long. */
export const deadlinePlugin: KyselyPlugin = {
  transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

const condition = sql<boolean>`within_deadline()`.toOperationNode();

class DeadlineTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const select = super.transformSelectQuery(node);
    // Without tables there are no rows to visit.
    if (!select.from) return select;
    const where = select.where ? WhereNode.cloneWithOperation(select.where, 'And', condition) : WhereNode.create(condition);
    return { ...select, where };
  }
}

const transformer = new DeadlineTransformer();
