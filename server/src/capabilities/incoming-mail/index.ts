import { capability, command, direct } from '../../platform/capability.ts'
import { getChannelEmailAddress, prepareAddress, renewChannelEmailAddress } from './actions/addresses.ts'
import * as contract from './contract.ts'
import { migrations } from './tables.ts'

export const incomingMail = capability({
  name: 'incoming-mail',
  tables: ['channel_addresses'],
  migrations,
  omitted: { channel_addresses: 'email addresses of channels: people request new ones' },
  limits: [contract.CHANNEL_ADDRESS_LIMIT],
  routes: [
    direct(contract.getChannelEmailAddress, getChannelEmailAddress),
    command(contract.renewChannelEmailAddress, renewChannelEmailAddress, { prepare: prepareAddress }),
  ],
})
