/*
 * What an organization has that the worst requests name: as much of everything as there is.
 */

/**
 * @typedef {object} Known
 * @property {number} me the owner of the organization who makes the requests
 * @property {string} email
 * @property {readonly number[]} users all ids
 * @property {readonly number[]} others those who may be changed and let go
 * @property {readonly { id: number, name: string }[]} channels that the owner is subscribed to
 * @property {readonly number[]} messages the newest, with those of the longest topic
 * @property {{ channel: number, name: string, newest: number }} topic a long one
 * @property {number} own a message of the owner, edited between texts that have nothing in common
 * @property {number} voted a message of the owner, with as many submessages as there may be
 * @property {number} bot
 * @property {number} group with everybody in it
 * @property {readonly number[]} groups each in the next
 * @property {number} field a custom profile field, a long text
 * @property {readonly number[]} fields all of them
 * @property {number} folder
 * @property {readonly number[]} folders
 * @property {number} linkifier
 * @property {readonly number[]} linkifiers
 * @property {number} playground
 * @property {string} view
 * @property {string} file the address of an uploaded file, behind `/user_uploads/`
 * @property {number} attachment
 * @property {number} draft
 * @property {number} snippet
 * @property {number} scheduled
 * @property {number} reminder
 * @property {string} queue
 */

/** @typedef {Readonly<Record<string, readonly import('./requests.js').Request[] | string>>} Inputs by endpoint; a text says why one is left out */

/** The soonest time that is late enough, in UNIX seconds. */
export const FUTURE = 4_000_000_000
