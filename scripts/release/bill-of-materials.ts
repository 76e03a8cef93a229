import { execFileSync } from 'node:child_process';

/** Returns the packages of a release in CycloneDX format, without the fields that would differ between two builds of one commit. */
export function createBillOfMaterials(): string {
  const text = execFileSync('npm', ['sbom', '--omit', 'dev', '--omit', 'optional', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  const { serialNumber: _, ...bill } = JSON.parse(text) as {
    serialNumber: string;
    metadata: { timestamp?: string; component: { name: string } };
  };
  delete bill.metadata.timestamp;
  // npm names the program after the folder of the clone.
  bill.metadata.component.name = 'promptharbor';
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}
