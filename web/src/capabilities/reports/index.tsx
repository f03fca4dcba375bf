import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { mayReport, openReport, reportedMessage } from './state.ts'

const Report = lazily(
  async () => (await import('./parts/report.tsx')).Report,
  () => null,
)

export const reports: Capability = {
  name: 'reports',
  messageActions: [
    {
      id: 'reports.report',
      title: () => t().report.report,
      icon: 'report',
      group: 'rare',
      when: mayReport,
      run: openReport,
    },
  ],
  overlays: [() => (reportedMessage.value === undefined ? null : <Report message={reportedMessage.value} />)],
}
