import { deactivate, reactivate } from './model.ts'
import { canSeeChannel, mayBan, maySetSlowMode, MODERATOR_ROLE } from './rules.ts'
import { describePerson, expectSameAnswerAsForAbsentId } from './scene.ts'
import { checkOutcome, itemAt, type StepContext } from './steps.ts'

/** Steps of moderation. */
export const MODERATION_STEPS: Readonly<Record<string, (doing: StepContext) => Promise<void>>> = {
  'set slow mode': async ({ scene, actor, channel }) => {
    if (channel === undefined) return
    const path = (id: number): string => `/streams/${id}/slow_mode`
    if (!canSeeChannel(scene.model, actor, channel)) {
      await expectSameAnswerAsForAbsentId(scene, actor, channel.id, ['PATCH', path, () => ({ seconds: 10 })])
      return
    }
    const { status } = await actor.user.try('PATCH', path(channel.id), { seconds: 10 })
    if ((status === 200) !== maySetSlowMode(scene.model, actor, channel)) {
      scene.wrong.push(`${describePerson(actor)} sets slow mode in ${channel.id}: ${status}`)
    }
    // Turned off again, so that it delays no other step.
    if (status === 200) await actor.user.call('PATCH', path(channel.id), { seconds: 0 })
  },

  'lock down': async ({ scene, actor }) => {
    const { status } = await actor.user.try('POST', '/lock_down')
    if ((status === 200) !== actor.role <= MODERATOR_ROLE) {
      scene.wrong.push(`${describePerson(actor)} locks the organization down: ${status}`)
    }
    if (status === 200) await actor.user.call('DELETE', '/lock_down')
  },

  ban: async (doing) => {
    const { scene, actor, other } = doing
    const answer = await actor.user.try('POST', `/users/${other.id}/ban`, { reason: 'Spam' })
    checkOutcome(doing, answer, mayBan(scene.model, actor, other), `ban ${other.id}`)
    if (answer.status !== 200) return
    deactivate(scene.model, other)
    scene.model.banned.add(other.id)
  },

  'lift ban': async (doing) => {
    const { scene, actor, more } = doing
    const gone = itemAt([...scene.model.banned], more)
    const other = gone === undefined ? undefined : scene.model.people.get(gone)
    if (other === undefined) return
    const answer = await actor.user.try('DELETE', `/users/${other.id}/ban`)
    checkOutcome(doing, answer, mayBan(scene.model, actor, other), `lift the ban of ${other.id}`)
    if (answer.status !== 200) return
    reactivate(scene.model, other, actor)
    await other.user.fetchApiKey()
  },
}
