import type { Capability } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { go } from '../../platform/router.ts'
import { isModerator } from '../users/state.ts'
import { REPORT_COMMANDS } from './commands.ts'
import { followReports } from './queue.ts'
import { mayReport, openReport, reportedMessage } from './state.ts'

const Report = lazily(
  async () => (await import('./parts/report.tsx')).Report,
  () => null,
)

/** Loads after the first paint. */
export const reports: Capability = {
  name: 'reports',
  begin: followReports,
  commands: [
    {
      id: 'go.reports',
      title: () => tl().reports.openView,
      icon: 'report',
      when: isModerator,
      run: () => go({ view: 'reports' }),
    },
    ...REPORT_COMMANDS,
  ],
  messageActions: [
    {
      id: 'reports.report',
      title: () => tl().report.report,
      icon: 'report',
      group: 'rare',
      when: mayReport,
      run: openReport,
    },
  ],
  overlays: [() => (reportedMessage.value === undefined ? null : <Report message={reportedMessage.value} />)],
}
