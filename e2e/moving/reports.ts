import * as z from 'zod/mini'
import { reportEntry } from '../../server/src/platform/moving/manifest.ts'

const importReport = z.object({ left_out: z.array(reportEntry) })

/** Parses the output of `import parley --json`. */
export function readImportReport(stdout: string): z.output<typeof importReport> {
  return importReport.parse(JSON.parse(stdout))
}
