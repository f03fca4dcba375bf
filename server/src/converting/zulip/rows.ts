import type * as z from 'zod/mini'
import type { ReportList } from '../../platform/moving/report-list.ts'

/** The rows of a table of which the form is known. */
export function rowsOf<Form extends z.ZodMiniType>(
  table: string,
  given: readonly unknown[] | undefined,
  form: Form,
  leftOut: ReportList,
): z.output<Form>[] {
  return (given ?? []).flatMap((row) => {
    const parsed = form.safeParse(row)
    if (parsed.success) return [parsed.data]
    leftOut.add(`rows are in no form that is known (${table})`, JSON.stringify(row)?.slice(0, 100))
    return []
  })
}
