import { capability, query } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import {
  createBigBlueButtonCall,
  createConstructorGroupsCall,
  createNextcloudTalkCall,
  createZoomCall,
  zoomSnapshot,
} from './queries.ts'

/** Calls: what clients ask for when people want to call each other by a service outside. */
export const calls = capability({
  name: 'calls',
  tables: [],
  routes: [
    query(contract.createBigBlueButtonCall, createBigBlueButtonCall),
    query(contract.createZoomCall, createZoomCall),
    query(contract.createNextcloudTalkCall, createNextcloudTalkCall),
    query(contract.createConstructorGroupsCall, createConstructorGroupsCall),
  ],
  snapshot: [{ eventTypes: ['video_calls'], observe: zoomSnapshot }],
})
