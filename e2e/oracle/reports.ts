import type { reports } from '../../server/src/contract.ts'
import type { Message, Organization, Person } from './model.ts'
import { canReadMessage, canReadMessagesFrom, MODERATOR_ROLE } from './rules.ts'
import { ABSENT_ID, bodyWithoutId, describePerson, expectSameAnswerAsForAbsentId, type Scene } from './scene.ts'
import { itemAt, type StepContext } from './steps.ts'

/** A report keeps the message's place at the time of the report. */
export interface Report {
  readonly id: number
  readonly senderId: number
  readonly channelId: number | undefined
  readonly at: number
  state: 'new' | 'taken'
}

/** Whether the person is a moderator who can read the message, or it is a direct message, and has not sent it. */
function canSeeReport(model: Organization, person: Person, { senderId, channelId, at }: Report): boolean {
  if (person.role > MODERATOR_ROLE) return false
  if (senderId === person.id || model.people.get(senderId)?.ownerId === person.id) return false
  if (channelId === undefined) return true
  const channel = model.channels.get(channelId)
  return channel !== undefined && canReadMessagesFrom(model, person, channel, at)
}

/** Files a report if the actor can read the message. Reports of hidden and of missing messages get the same error. */
export async function fileReport({ scene, actor }: StepContext, message: Message): Promise<void> {
  const { id, senderId, place, at } = message
  const path = (messageId: number): string => `/messages/${messageId}/report`
  const reason = { report_type: 'spam' }
  if (!canReadMessage(scene.model, actor, message)) {
    await expectSameAnswerAsForAbsentId(scene, actor, id, ['POST', path, () => reason])
    return
  }
  // Without a channel for reports, this error differs from that for missing messages, but nothing is posted.
  const { body } = await actor.user.try('POST', path(id), reason)
  if (!String(body['msg']).startsWith('Moderation request channel')) {
    scene.wrong.push(`${describePerson(actor)} reports message ${id}: ${JSON.stringify(body)}`)
  }
  if (scene.model.reports.has(id)) return
  await scene.storeReport(id)
  scene.model.reports.set(id, { id, senderId, channelId: place?.channelId, at, state: 'new' })
}

/** Takes or releases a report. Hidden reports get the same error as missing ones. */
export async function handleReport({ scene, actor, what }: StepContext): Promise<void> {
  const report = itemAt([...scene.model.reports.values()], what)
  if (report === undefined) return
  const path = (id: number): string => `/message_reports/${id}`
  if (!canSeeReport(scene.model, actor, report)) {
    const change = { state: 'resolved', old_state: 'new', old_assignee_id: null }
    await expectSameAnswerAsForAbsentId(scene, actor, report.id, ['PATCH', path, () => change])
    const note = { content: 'Note' }
    await expectSameAnswerAsForAbsentId(scene, actor, report.id, ['POST', (id) => `${path(id)}/notes`, () => note])
    return
  }
  const { body } = await actor.user.try('GET', `/message_reports/${report.id}`)
  const state = report.state === 'new' ? 'taken' : 'new'
  const expected = { old_state: report.state, old_assignee_id: body['report']?.assignee_id ?? null }
  const answer = await actor.user.try('PATCH', `/message_reports/${report.id}`, { state, ...expected })
  if (answer.status === 200) report.state = state
  else scene.wrong.push(`${describePerson(actor)} changes report ${report.id}: ${JSON.stringify(answer.body)}`)
}

/** Compares the reports that a person can list and read with the rules. */
export async function compareReports({ model }: Scene, person: Person): Promise<string[]> {
  const { user } = person
  const { status, body } = await user.try('GET', '/message_reports')
  const wrong = (status === 200) === person.role <= MODERATOR_ROLE ? [] : [`lists reports: ${JSON.stringify(body)}`]
  const listed = new Set((body['reports'] ?? []).map((one: reports.MessageReport) => one.report_id))
  for (const report of model.reports.values()) {
    const isVisible = canSeeReport(model, person, report)
    if (listed.has(report.id) !== isVisible) wrong.push(`${isVisible ? 'misses' : 'sees'} report ${report.id}`)
    const [one, absent] = [
      await user.try('GET', `/message_reports/${report.id}`),
      await user.try('GET', `/message_reports/${ABSENT_ID}`),
    ]
    const isRead = bodyWithoutId(one, report.id) !== bodyWithoutId(absent, ABSENT_ID)
    if (isRead !== isVisible) wrong.push(`reads report ${report.id}: ${JSON.stringify(one.body)}`)
  }
  return wrong
}
