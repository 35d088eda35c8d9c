/* SPDX-License-Identifier: MIT */
#include "thread.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "copy.h"
#include "core.h"

/*
 * While an engine works on something, its answer often comes within microseconds, and waking from a sleep costs about as
 * much: the thread looks again for this long before it sleeps.
 */
#define SPIN_NS 15000u

#define MAX_EVENTS 32

#define RUNG_RINGS ((1u << D3DGPU_MAX_RINGS) - 1)
#define RUNG_KICK (1u << 31)		/* not a doorbell, only "look again" */

static uint64_t tag(enum core_source source, unsigned index)
{
	return (uint64_t)source << 32 | index;
}

int core_thread_watch(struct d3dgpu_core *core, int fd, enum core_source source, unsigned index, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.u64 = tag(source, index)};

	if (!epoll_ctl(core->thread.epoll, EPOLL_CTL_ADD, fd, &event))
		return 0;
	if (errno != EEXIST || epoll_ctl(core->thread.epoll, EPOLL_CTL_MOD, fd, &event))
		return -errno;
	return 0;
}

int core_thread_init(struct d3dgpu_core *core)
{
	struct core_thread *thread = &core->thread;
	int error;

	thread->epoll = thread->kick = -1;
	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++)
		thread->doorbells[ring] = -1;
	thread->epoll = epoll_create1(EPOLL_CLOEXEC);
	thread->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (thread->epoll < 0 || thread->kick < 0)
		return -errno;
	/* Edge-triggered: each write is an event, and nobody has to read. */
	error = core_thread_watch(core, thread->kick, CORE_SOURCE_KICK, 0, EPOLLIN | EPOLLET);
	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS && !error; ring++) {
		thread->doorbells[ring] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (thread->doorbells[ring] < 0)
			return -errno;
		error = core_thread_watch(core, thread->doorbells[ring], CORE_SOURCE_DOORBELL, ring,
						  EPOLLIN | EPOLLET);
	}
	return error;
}

void core_thread_destroy(struct d3dgpu_core *core)
{
	struct core_thread *thread = &core->thread;

	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++)
		if (thread->doorbells[ring] >= 0)
			close(thread->doorbells[ring]);
	if (thread->kick >= 0)
		close(thread->kick);
	if (thread->epoll >= 0)
		close(thread->epoll);
}

/*
 * The waker publishes what is new, then looks whether the thread sleeps; the thread says that it sleeps, then looks for
 * what is new. One of them sees the other.
 */
static void publish(struct core_thread *thread, unsigned bits)
{
	uint64_t one = 1;

	atomic_fetch_or(&thread->rung, bits);
	if (!atomic_exchange(&thread->waiting, false))
		return;
	while (write(thread->kick, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

void core_thread_kick(struct d3dgpu_core *core)
{
	publish(&core->thread, RUNG_KICK);
}

void core_thread_ring(struct d3dgpu_core *core, unsigned ring)
{
	publish(&core->thread, 1u << ring);
}

static void handle(struct d3dgpu_core *core, const struct epoll_event *event)
{
	unsigned index = (uint32_t)event->data.u64;

	switch ((enum core_source)(event->data.u64 >> 32)) {
	case CORE_SOURCE_KICK:
		break;
	case CORE_SOURCE_DOORBELL:
		atomic_fetch_or(&core->thread.rung, 1u << index);
		break;
	case CORE_SOURCE_WORKER:
		if (event->events & EPOLLOUT)
			core_worker_writable(core, &core->workers.slots[index]);
		if (event->events & ~EPOLLOUT)
			core_worker_readable(core, &core->workers.slots[index]);
		break;
	case CORE_SOURCE_CHILD:
		core_worker_exited(core, &core->workers.slots[index]);
		break;
	case CORE_SOURCE_MANAGER:
		core_manager_readable(core);
		break;
	case CORE_SOURCE_WORKER_LOG:
		core_worker_log_readable(core);
		break;
	}
}

/* Lets register accesses in that wait for the lock, and interrupts out. */
static void give_way(struct d3dgpu_core *core)
{
	core_unlock(core);
	while (atomic_load(&core->waiters))
		sched_yield();
	pthread_mutex_lock(&core->lock);
}

/* Device time at which there is something to do again at the latest. */
static uint64_t next_deadline(const struct d3dgpu_core *core)
{
	uint64_t next = core->workers.due, gcp = core_gcp_next(core), display = core_display_next(core);

	next = gcp < next ? gcp : next;
	return display < next ? display : next;
}

/* Takes what descriptors have to say, without waiting. Returns whether they had something. */
static bool take_news(struct d3dgpu_core *core)
{
	struct epoll_event events[MAX_EVENTS];
	int count = epoll_wait(core->thread.epoll, events, MAX_EVENTS, 0);

	for (int i = 0; i < count; i++)
		handle(core, &events[i]);
	return count > 0;
}

/*
 * Does everything that can be done now, and a piece of the frames that are being read for their CRCs. Returns whether there is
 * more of those. A long copy must not keep the answers of other contexts' workers.
 */
static bool work(struct d3dgpu_core *core)
{
	bool more = true, reading = false;

	while (more && !atomic_load(&core->thread.stop)) {
		unsigned rung = atomic_exchange(&core->thread.rung, 0);
		uint64_t now = core_now(core);

		if (rung & RUNG_RINGS)
			core_gcp_doorbell(core, rung & RUNG_RINGS);
		core_gcp_tick(core, now);
		core_display_tick(core, now);
		core_workers_tick(core, now);
		reading = core_crc_run(core);
		more = core_copy_run(core);
		if (more)
			take_news(core);
		more |= core_gcp_run(core);
		if (more && (core->irq_out || atomic_load(&core->waiters)))
			give_way(core);
	}
	return reading;
}

static bool has_news(struct core_thread *thread)
{
	return atomic_load(&thread->rung) || atomic_load(&thread->stop);
}

static int sleep_until(struct d3dgpu_core *core, struct epoll_event *events, uint64_t until)
{
	struct core_thread *thread = &core->thread;
	uint64_t now = core_now(core), wait = until > now ? until - now : 0;
	struct timespec timeout;
	int count;

	atomic_store(&thread->waiting, true);
	if (has_news(thread))
		until = wait = 0;
	timeout = (struct timespec){(time_t)(wait / 1000000000), (long)(wait % 1000000000)};
	count = epoll_pwait2(thread->epoll, events, MAX_EVENTS, until == UINT64_MAX ? NULL : &timeout, NULL);
	atomic_store(&thread->waiting, false);
	return count;
}

/* Without the lock: waits for something to do. Returns the number of events. */
static int look(struct d3dgpu_core *core, struct epoll_event *events, uint64_t until, bool busy)
{
	uint64_t spin_end = core_now(core) + SPIN_NS;
	int count;

	while (busy) {
		uint64_t now = core_now(core);

		count = epoll_wait(core->thread.epoll, events, MAX_EVENTS, 0);
		if (count || has_news(&core->thread) || now >= until)
			return count;
		if (now >= spin_end)
			break;
	}
	return sleep_until(core, events, until);
}

bool core_thread_turn(struct d3dgpu_core *core)
{
	work(core);
	return take_news(core);
}

static void *run(void *argument)
{
	struct d3dgpu_core *core = argument;
	struct epoll_event events[MAX_EVENTS];

	pthread_mutex_lock(&core->lock);
	while (!atomic_load(&core->thread.stop)) {
		uint64_t next;
		bool busy;
		int count;

		if (work(core)) {
			take_news(core);
			give_way(core);
			continue;
		}
		next = next_deadline(core);
		busy = core->engine.unanswered;
		core_unlock(core);
		count = look(core, events, next, busy);
		pthread_mutex_lock(&core->lock);
		for (int i = 0; i < count; i++)
			handle(core, &events[i]);
	}
	core_unlock(core);
	return NULL;
}

int core_thread_start(struct d3dgpu_core *core)
{
	int error = pthread_create(&core->thread.id, NULL, run, core);

	core->thread.started = !error;
	if (!error)
		pthread_setname_np(core->thread.id, "d3dgpu");
	return -error;
}

void core_thread_stop(struct d3dgpu_core *core)
{
	uint64_t one = 1;

	if (!core->thread.started)
		return;
	atomic_store(&core->thread.stop, true);
	while (write(core->thread.kick, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(core->thread.id, NULL);
	core->thread.started = false;
}
