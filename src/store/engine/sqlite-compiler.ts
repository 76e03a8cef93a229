import { type FunctionNode, type OperationNode, SqliteDialect, SqliteQueryCompiler, ValueNode } from 'kysely';

/** Compiles `strpos` of PostgreSQL, which SQLite does not have. The result only says whether the text was found. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [column, text] = node.arguments;
    if (node.func === 'strpos' && column && text && ValueNode.is(text)) this.visitContains(column, String(text.value));
    else super.visitFunction(node);
  }

  /**
   * SQLite compares at every position that has the first byte of the text. So this first searches for the part of the text from its rarest
   * byte to its end. It also compares bytes, because characters take twice as long.
   */
  private visitContains(column: OperationNode, text: string): void {
    this.append('(instr(cast(');
    this.visitNode(column);
    this.append(' as blob), substr(cast(');
    this.appendValue(text);
    this.append(' as blob), ');
    this.appendValue(findRarestByte(text) + 1);
    this.append(')) > 0 and instr(');
    this.visitNode(column);
    this.append(', ');
    this.appendValue(text);
    this.append(') > 0)');
  }
}

/** Kysely's dialect for SQLite, with our compiler. */
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

function findRarestByte(text: string): number {
  const commonness = [...Buffer.from(text)].map(toCommonness);
  const candidates = commonness.slice(0, Math.max(1, commonness.length - minBytes + 1));
  return candidates.indexOf(Math.min(...candidates));
}

/** The most common characters of texts in Latin letters, in ascending order. */
const commonCharacters = 'bpgmudclhsrnitoae ';

function toCommonness(byte: number): number {
  // In other scripts, most characters start with the same byte.
  if (byte >= 0xc0) return commonCharacters.length;
  return byte >= 0x80 ? commonCharacters.length / 2 : commonCharacters.indexOf(String.fromCharCode(byte)) + 1;
}
