import * as z from 'zod/mini'
import { reportEntry } from '../../server/src/platform/moving/manifest.ts'

const importReport = z.looseObject({
  tables: z.array(z.object({ name: z.string(), rows: z.number(), stored: z.number() })),
  left_out: z.array(reportEntry),
})
export type ImportReport = z.output<typeof importReport>

const conversionReport = z.extend(importReport, {
  carried: z.array(reportEntry),
  /** Path of the list of old and new IDs. */
  ids: z.nullable(z.string()),
})
export type ConversionReport = z.output<typeof conversionReport>

export function readImportReport(stdout: string): ImportReport {
  return importReport.parse(JSON.parse(stdout))
}

export function readConversionReport(stdout: string): ConversionReport {
  return conversionReport.parse(JSON.parse(stdout))
}
