import { capability, command } from '../../platform/capability.ts'
import * as contract from '../channels/contract/index.ts'
import { archive, create, join, joinAndLeave, update } from './actions.ts'

/** What becomes of channels, with the messages that the notification bot writes about it. */
export const channelNotices = capability({
  name: 'channel-notices',
  tables: [],
  routes: [
    command(contract.createChannel, create),
    command(contract.updateChannel, update),
    command(contract.archiveChannel, archive),
    command(contract.subscribe, join),
    command(contract.updateSubscriptions, joinAndLeave),
  ],
})
