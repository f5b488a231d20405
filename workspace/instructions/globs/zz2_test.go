package globs
import ("testing";"os";"bufio";"encoding/json";"fmt")
func TestZZGit(t *testing.T){ f,err:=os.Open(os.Getenv("GITCASES")); if err!=nil{return}; sc:=bufio.NewScanner(f); n,bad,tr:=0,0,0
 for sc.Scan(){ var c struct{GS []string;P string;OK bool}; json.Unmarshal(sc.Bytes(),&c); s,_:=Compile(Gitignore,c.GS); _,ok:=s.Match(c.P); n++; if c.OK{tr++}; if ok!=c.OK { bad++; if bad<=50 {fmt.Printf("%q %-12q want %v\n",c.GS,c.P,c.OK)}}}
 fmt.Println(n,tr,bad)}
