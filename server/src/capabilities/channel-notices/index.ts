import { capability, command } from '../../platform/capability.ts'
import * as contract from '../channels/contract/index.ts'
import { archiveChannel, createChannel, subscribe, updateChannel, updateSubscriptions } from './actions.ts'

/** What becomes of channels, with the messages that the notification bot writes about it. */
export const channelNotices = capability({
  name: 'channel-notices',
  tables: [],
  routes: [
    command(contract.createChannel, createChannel),
    command(contract.updateChannel, updateChannel),
    command(contract.archiveChannel, archiveChannel),
    command(contract.subscribe, subscribe),
    command(contract.updateSubscriptions, updateSubscriptions),
  ],
})
