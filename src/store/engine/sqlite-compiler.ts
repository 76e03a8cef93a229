import { type BinaryOperationNode, FunctionNode, type OperationNode, SqliteDialect, SqliteQueryCompiler, ValueNode } from 'kysely';

/** Compiles comparisons of `strpos`, a function of PostgreSQL that SQLite does not have. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand } = node;
    const [column, text] = FunctionNode.is(leftOperand) && leftOperand.func === 'strpos' ? leftOperand.arguments : [];
    if (column && text && ValueNode.is(text)) this.visitContains(column, String(text.value));
    else super.visitBinaryOperation(node);
  }

  /**
   * SQLite compares at every position that has the first byte of the text. To make such positions rare, the query first searches for the
   * part of the text from its rarest byte to its end. The query compares bytes, because comparing characters takes twice as long. The two
   * conditions are not combined in one comparison, because SQLite would then evaluate both for every row.
   */
  private visitContains(column: OperationNode, text: string): void {
    const bytes = Buffer.from(text);
    this.append('(instr(cast(');
    this.visitNode(column);
    this.append(' as blob), unhex(');
    this.appendValue(bytes.subarray(findRarestByte(bytes)).toString('hex'));
    this.append(')) > 0 and instr(cast(');
    this.visitNode(column);
    this.append(' as blob), cast(');
    this.appendValue(text);
    this.append(' as blob)) > 0)');
  }
}

/** Kysely's dialect for SQLite, with the compiler above. */
export class EmbeddedDialect extends SqliteDialect {
  override createQueryCompiler() {
    return new SqliteCompiler();
  }
}

/**
 * The minimum number of bytes to search for. A shorter sequence would be found in many texts that do not contain the rest of the searched
 * text.
 */
const minBytes = 3;

function findRarestByte(bytes: Uint8Array): number {
  const commonness = [...bytes].map(toCommonness);
  const candidates = commonness.slice(0, Math.max(1, commonness.length - minBytes + 1));
  return candidates.indexOf(Math.min(...candidates));
}

/** The most common characters of texts in Latin letters, from the least to the most frequent. */
const commonCharacters = 'bpgmudclhsrnitoae ';

function toCommonness(byte: number): number {
  // In other scripts, most characters start with the same byte.
  if (byte >= 0xc0) return commonCharacters.length;
  return byte >= 0x80 ? commonCharacters.length / 2 : commonCharacters.indexOf(String.fromCharCode(byte)) + 1;
}
