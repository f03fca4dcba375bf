import { API_WORD, type CapabilitySamples, OWN_WORDS } from '../../../testing/capability-samples.ts'
import { itemAt, someSentMessage } from '../../../testing/look-up.ts'
import type { TestOrganization } from '../../../testing/server.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import { REPORT_STATES } from '../contract.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly report_id: number
  }
}

/** Creates the private channel that reporting requires. */
async function allowReports({ owner }: TestOrganization): Promise<void> {
  await owner.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'desk' }], invite_only: true })
  const { body } = await owner.try('GET', '/get_stream_id', { stream: 'desk' })
  await owner.try('PATCH', '/realm', { moderation_request_channel_id: body['stream_id'] ?? -1 })
}

export const samples: CapabilitySamples = {
  async make(organization, { stream_id }) {
    const { owner, user } = organization
    await allowReports(organization)
    const id = await (await user('Rae Reported')).send(stream_id, 'plans', 'Buy now')
    await owner.call('POST', `/messages/${id}/report`, { report_type: 'spam' })
    await owner.call('PATCH', '/realm', { moderation_request_channel_id: -1 })
    const { reports } = await owner.call('GET', '/message_reports')
    return { report_id: reports[0]?.report_id ?? 0 }
  },
  inputs: { updateMessageReport: () => ({ state: 'taken', old_state: 'new', old_assignee_id: null }) },
  names: { report_id: 'report', assignee_id: 'user', old_assignee_id: 'user' },
  namesNothing: {
    report_type: API_WORD,
    'getMessageReports.state': API_WORD,
    'updateMessageReport.state': API_WORD,
    old_state: API_WORD,
    'updateMessageReport.note': OWN_WORDS,
  },
  hidden: { report: { sample: 'report_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  messageSteps: {
    report: async ({ scene, actor, what, more }) => {
      await allowReports(scene.organization)
      const input = { report_type: 'spam', description: `Number ${more}` }
      return actor.try('POST', `/messages/${someSentMessage(scene, what)}/report`, input)
    },
    'handle report': async ({ actor, what, more }) => {
      const { body } = await actor.try('GET', '/message_reports')
      const { reports = [] } = body
      const report = reports[what % Math.max(reports.length, 1)]
      const path = `/message_reports/${report?.report_id ?? 999_999}` as const
      if (more % 3 === 0) return actor.try('POST', `${path}/notes`, { content: `Note ${more}` })
      return actor.try('PATCH', path, {
        state: itemAt(REPORT_STATES, more),
        old_state: report?.state ?? 'new',
        old_assignee_id: report?.assignee_id ?? null,
      })
    },
  },
}
