#!/bin/sh
# Ends the processes of a launcher that was killed before it could end them itself.
# Standard input is a pipe from the launcher, so its end means that the launcher is gone. Lines:
#   add <rank> <signal> <pid>   a process to end; those of rank 0 end first, those of rank 2 last
#   remove <pid>                one that ended
#   done                        nothing is left to end
trap '' HUP INT TERM
processes=''

while read -r verb first second third; do
  case $verb in
    add) processes="$processes $first:$second:$third" ;;
    remove)
      kept=''
      for process in $processes; do
        [ "${process##*:}" = "$first" ] || kept="$kept $process"
      done
      processes=$kept
      ;;
    done) exit 0 ;;
  esac
done

alive() {
  for process in $processes; do
    [ "${process%%:*}" = "$1" ] && kill -0 "${process##*:}" 2>/dev/null && return 0
  done
  return 1
}

for rank in 0 1 2; do
  for process in $processes; do
    signal=${process#*:}
    [ "${process%%:*}" = "$rank" ] && kill -s "${signal%%:*}" "${process##*:}" 2>/dev/null
  done
  rounds=0
  while alive $rank && [ $rounds -lt 35 ]; do
    sleep 0.1
    rounds=$((rounds + 1))
  done
done

for process in $processes; do
  kill -s KILL "${process##*:}" 2>/dev/null
done
exit 0
