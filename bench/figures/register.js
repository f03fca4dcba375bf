import { gzipSync } from 'node:zlib'
import { quantile } from '../figure.js'
import { responseTimes, withLoad } from '../parts/load.js'
import { LARGE_ORGANIZATION, ensureOrganization } from '../parts/organizations.js'
import { withProduct } from '../parts/product.js'

const ROUNDS = 15
const WARM_UP_ROUNDS = 3
const MAX_RESPONSE_KIB = 600

/** @type {Record<import('../../server/src/kernel/viewer.ts').ApiCapability, boolean>} */
const CLIENT_CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
}

/** Registration parameters of current clients. */
export const REGISTRATION_PARAMETERS = {
  apply_markdown: 'true',
  slim_presence: 'true',
  client_capabilities: JSON.stringify(CLIENT_CAPABILITIES),
}

/** @type {import('../figure.js').Figure} */
export const register = {
  id: 'register',
  name: '`POST /register` with everything, against serializing and compressing its response; 10,000 people, 500 channels, 3,000 unread',
  unit: 'ms',
  goal: { atMost: 1 },
  async measure() {
    const { data, landmarks } = await ensureOrganization(LARGE_ORGANIZATION)
    return withProduct({ data, env: { PARLEY_LOG_LEVEL: 'warn' } }, (product) =>
      withLoad(async (load) => {
        const { email, key } = landmarks.active
        const asked = { method: 'POST', path: '/register', fields: REGISTRATION_PARAMETERS, gzip: true }
        const warm = await load.ask(
          product.url,
          [{ email, key, requests: Array.from({ length: WARM_UP_ROUNDS }, () => asked) }],
          {
            keepBodies: true,
          },
        )
        const answer = JSON.parse(warm.answers.at(-1)?.body ?? '')
        const [times, baselines] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
        let cores = 0
        for (let round = 0; round < ROUNDS; round += 1) {
          const one = await load.ask(product.url, [{ email, key, requests: [asked] }])
          times.push(...responseTimes(one))
          cores += one.cores / ROUNDS
          const started = performance.now()
          gzipSync(JSON.stringify(answer))
          baselines.push(performance.now() - started)
        }
        /** @param {string} wanted */
        const listing = async (wanted) => {
          const one = { ...asked, fields: { ...REGISTRATION_PARAMETERS, include_subscribers: wanted } }
          const requests = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, () => one)
          const listed = await load.ask(product.url, [{ email, key, requests }])
          const median = Math.round(quantile(responseTimes(listed).slice(WARM_UP_ROUNDS), 0.5))
          return `${wanted} ${median} ms, ${Math.round((listed.answers.at(-1)?.bytes ?? 0) / 1024)} KiB`
        }
        const kib = (warm.answers.at(-1)?.bytes ?? 0) / 1024
        const plain = JSON.stringify(answer)
        return {
          value: quantile(times, 0.5),
          baseline: quantile(baselines, 0.5),
          holds: kib <= MAX_RESPONSE_KIB,
          notes: [
            `${Math.round(kib)} KiB transferred, uncompressed ${Math.round(plain.length / 1024)} KiB; at most ${MAX_RESPONSE_KIB} KiB`,
            `first after start ${Math.round(warm.answers[0]?.milliseconds ?? 0)} ms, p95 ${Math.round(quantile(times, 0.95))} ms`,
            `${answer.realm_users.length} people, ${answer.streams.length} channels, ${answer.unread_msgs.count} unread`,
            `with include_subscribers: ${await listing('partial')}; ${await listing('true')}`,
            `load process: ${cores.toFixed(2)} of a core`,
          ],
        }
      }),
    )
  },
}
