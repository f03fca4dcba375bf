import type { Answer } from '../../../server/src/testing/user.ts'
import { some } from './look-up.ts'
import type { Doing } from './scene.ts'

const ROLES = [200, 300, 400, 600]

/** Steps of generated histories that concern who is there at all. */
export const PEOPLE_STEPS = {
  rename: async ({ actor, other, what }) => actor.try('PATCH', `/users/${other.id}`, { full_name: `Name ${what}` }),
  'change role': async ({ actor, other, what }) =>
    actor.try('PATCH', `/users/${other.id}`, { role: ROLES[what % ROLES.length] }),
  deactivate: async ({ scene, actor, other }) => {
    const answer = await actor.try('DELETE', `/users/${other.id}`)
    if (answer.status === 200) scene.ended.add(other.id)
    return answer
  },
  reactivate: async ({ actor, other }) => actor.try('POST', `/users/${other.id}/reactivate`),
  'create user': async ({ scene, what }) => {
    scene.people.push(await scene.organization.user(`Newcomer ${what}`))
  },
  // Each once: of who stays no event tells, and older clients know people by addresses, which change meanwhile.
  'be there': async ({ scene, actor, what }) => {
    if (scene.present.has(actor.id)) return
    const status = what % 2 === 0 ? 'active' : 'idle'
    const answer = await actor.try('POST', '/users/me/presence', { status })
    if (answer.status === 200) scene.present.add(actor.id)
  },
  'save snippet': async ({ actor, what, more }) =>
    actor.try('POST', '/saved_snippets', { title: `Title ${what}`, content: `**${more}**` }),
  'change snippet': async ({ actor, what, more }) =>
    actor.try('PATCH', `/saved_snippets/${await some(actor, 'saved_snippets', what)}`, {
      ...(more % 2 === 0 ? { title: `Title ${more}` } : {}),
      ...(more % 3 === 0 ? { content: `_${more}_` } : {}),
    }),
  'delete snippet': async ({ actor, what }) =>
    actor.try('DELETE', `/saved_snippets/${await some(actor, 'saved_snippets', what)}`),
} satisfies Readonly<Record<string, (doing: Doing) => Promise<Answer | void>>>
