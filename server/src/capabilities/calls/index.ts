import { capability, query } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import {
  createBigBlueButtonCall,
  createConstructorGroupsCall,
  createNextcloudTalkCall,
  createZoomCall,
  zoomSnapshot,
} from './queries.ts'

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
