import * as z from 'zod/mini'

const finding = z.strictObject({
  check: z.string(),
  state: z.string(),
  trouble: z.nullable(z.string()),
  value: z.nullable(z.number()),
  message: z.string(),
  remedy: z.nullable(z.string()),
})
export type ReportedFinding = z.output<typeof finding>

const report = z.object({ findings: z.array(finding) })

/** Parses the output of `doctor --json`. */
export function findingsIn(stdout: string): ReportedFinding[] {
  return report.parse(JSON.parse(stdout)).findings
}
