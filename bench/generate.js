/* Generates an organization: `node bench/generate.js --users 10000 --channels 500 --messages 2000000 --data DIR`. */
import { parseArgs } from 'node:util'
import { prepare } from '../tools/prepare.js'
import { generateOrganization } from './generate/organization.js'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    channels: { type: 'string', default: '100' },
    messages: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    'long-topic': { type: 'string', default: '0' },
    data: { type: 'string' },
  },
})
if (values.data === undefined) {
  console.error('--data names the new data directory')
  process.exit(1)
}
await prepare()
const started = Date.now()
await generateOrganization(values.data, {
  users: Number(values.users),
  channels: Number(values.channels),
  messages: Number(values.messages),
  longTopic: Number(values['long-topic']),
  seed: Number(values.seed),
})
console.log(`${values.messages} messages in ${Math.round((Date.now() - started) / 1000)} s`)
